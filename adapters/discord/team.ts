/** A persona as people choose and mention it. */
export interface DiscordPersona {
  /** Its handle. */
  readonly name: string;
  readonly displayName: string;
  /** Whether servers get a role of its name to mention it by. */
  readonly role: boolean;
}

/** One word or number that a command takes. */
export interface AgentInput {
  readonly name: string;
  readonly summary: string;
  readonly takes: "persona" | "personas" | "command" | "number" | "text" | readonly string[];
  readonly required?: true;
}

/** What a slash command offers as a subcommand; a row of the engine's table. */
export interface AgentCommand {
  readonly name: string;
  readonly summary: string;
  readonly who: "all" | "admin";
  readonly inputs: readonly AgentInput[];
}

/** A slash command with all its subcommands. */
export interface AgentFamily {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly AgentCommand[];
}
