"""Runtime of compiled rulesets: state, machine, decisions, drafts, dice, map graph and charts."""
