// Starts `grognard lsp` for rules files and for documents of folders with a ruleset.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("grognard").get("command");
  client = new LanguageClient(
    "grognard",
    "Grognard",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "grognard" }, { language: "yaml", scheme: "file" }] }
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
