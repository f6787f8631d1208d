// Compiles the sources of the kit in Pyodide, so that the Python that runs the code has compiled it.
// usage: node compile.mjs WORK SCRIPT    (WORK holds `pyodide` and `sources`; `compiled` is made)

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [work, script] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${work}/pyodide/pyodide.mjs`));
// Without column positions the code takes a third less room; lines are kept.
const env = { PYTHONNODEBUGRANGES: "1", HOME: "/home/web" };
const python = await loadPyodide({ indexURL: `${work}/pyodide/`, env, stdout: () => {} });
python.FS.mkdirTree("/work");
python.FS.mount(python.FS.filesystems.NODEFS, { root: work }, "/work");
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (fault) {
  console.error(fault.message);
  process.exit(1);
}
