/** What a place to talk in may lack. A scene or step that needs it is left out where it is lacking. */
export type Ability =
  /** Answers stand in a thread on the message. */
  | "threads"
  /** A person can talk with the app alone. */
  | "direct"
  /** Messages are edited and deleted. */
  | "edits"
  /** Other bots are here. */
  | "bots"
  /** Others post through webhooks of their own. */
  | "webhooks"
  /** A message can answer another one. */
  | "replies"
  /** Something can be shown to one person only. */
  | "private"
  /** The way to the platform has faults. */
  | "troubles"
  /** People can write while the service is down. */
  | "missed"
  /** A message that addresses nobody wakes nobody. */
  | "silence";

/** What goes wrong with the next post or delivery, or with the connection that brings them. */
export type Trouble = "answer-lost" | "refused-once" | "slow-down" | "came-twice" | "cut-off";

/** The name that a message is known by in a scenario; a thread is known by the message it hangs on. */
type Label = string;

/** How a person's message shall end: `woke planner`, `ignored no_mention`, `superseded`. */
type Ending = string;

interface Saying {
  readonly who: string;
  readonly text: string;
  readonly as: Label;
  readonly ends: Ending;
  /** In the thread of this message, instead of the channel. */
  readonly under?: Label;
  /** To the app alone. */
  readonly direct?: true;
  /** It answers the message with these words. */
  readonly answers?: string;
}

/** A post that shall come to be seen; its text holds these words. */
export interface Sight {
  /** Absent for what the app itself says, on some platforms under the name of the persona that it speaks of. */
  readonly from?: string;
  readonly text: string;
  /** Where it stands: in the thread of this message; in the conversation that it belongs to, if that has no thread. */
  readonly under: Label;
}

type Act =
  | ({ readonly do: "say" } & Saying)
  | { readonly do: "edit"; readonly said: Label; readonly text: string; readonly ends: Ending }
  | { readonly do: "remove"; readonly said: Label }
  | { readonly do: "bot"; readonly text: string; readonly through?: "webhook" }
  | { readonly do: "press"; readonly who: string; readonly button: string }
  /** Presses again what was pressed last, though it is gone from the screen. */
  | { readonly do: "press-again"; readonly who: string }
  | { readonly do: "command"; readonly who: string; readonly text: string }
  | { readonly do: "trouble"; readonly kind: Trouble }
  | { readonly do: "end"; readonly how: "stop" | "kill" }
  | { readonly do: "start" }
  | ({ readonly do: "see" } & Sight)
  /** This person is told: alone, or, to what it said to the app where that is not possible, in answer to it. */
  | { readonly do: "told"; readonly who: string; readonly text: string }
  /** A persona has begun a turn. */
  | { readonly do: "at-work"; readonly persona: string };

/** One thing that happens, or that is waited for. */
export type Step = Act & { readonly needs?: readonly Ability[] };

/** Some steps that belong together. */
export interface Scene {
  readonly title: string;
  readonly needs?: readonly Ability[];
  readonly steps: readonly Step[];
}

/** One line that people can read. */
export interface Shown {
  readonly from: string;
  readonly text: string;
  /** What it hangs on or stands in: equal for what stands together. */
  readonly place: string;
  /** It is under a persona's name, with the picture that belongs to it. */
  readonly hasPersonasFace: boolean;
}

/** A person's message as the service has kept it. */
export interface Account {
  readonly text: string;
  /** As in `Ending`; `open` while nothing is decided. */
  readonly ended: string;
}

/** Carries out a scenario on one platform, with a real service. Every wait has an end, and says what it waited for. */
export interface ScenarioDriver {
  readonly can: ReadonlySet<Ability>;
  say(saying: Saying): Promise<void>;
  edit(said: Label, text: string): Promise<void>;
  remove(said: Label): Promise<void>;
  bot(text: string, through?: "webhook"): Promise<void>;
  press(who: string, button: string): Promise<void>;
  pressAgain(who: string): Promise<void>;
  command(who: string, text: string): Promise<void>;
  trouble(kind: Trouble): void;
  end(how: "stop" | "kill"): Promise<void>;
  start(): Promise<void>;
  see(sight: Sight): Promise<void>;
  told(who: string, text: string): Promise<void>;
  atWork(persona: string): Promise<void>;
  /** Everything that stands to be read at the end. */
  shown(): Promise<readonly Shown[]>;
  /** All messages of people, once everything about them is decided. */
  accounts(): Promise<readonly Account[]>;
  /** What people read, as lines. */
  transcript(): Promise<readonly string[]>;
}

/** Plays what this platform can do. Resolves with what was said, and how it shall have ended. */
export async function play(driver: ScenarioDriver, scenes: readonly Scene[]): Promise<readonly Account[]> {
  const said: Account[] = [];
  const isPossible = ({ needs = [] }: Pick<Scene, "needs">) => needs.every((ability) => driver.can.has(ability));
  for (const scene of scenes.filter(isPossible)) {
    for (const step of scene.steps.filter(isPossible)) {
      await carryOut(driver, step).catch((error: unknown) => {
        throw new Error(`in the scene "${scene.title}", at ${JSON.stringify(step)}`, { cause: error });
      });
      if (step.do === "say" || step.do === "edit") said.push({ text: step.text, ended: step.ends });
    }
  }
  return said;
}

function carryOut(driver: ScenarioDriver, step: Step): Promise<void> {
  switch (step.do) {
    case "say":
      return driver.say(step);
    case "edit":
      return driver.edit(step.said, step.text);
    case "remove":
      return driver.remove(step.said);
    case "bot":
      return driver.bot(step.text, step.through);
    case "press":
      return driver.press(step.who, step.button);
    case "press-again":
      return driver.pressAgain(step.who);
    case "command":
      return driver.command(step.who, step.text);
    case "trouble":
      driver.trouble(step.kind);
      return Promise.resolve();
    case "end":
      return driver.end(step.how);
    case "start":
      return driver.start();
    case "see":
      return driver.see(step);
    case "told":
      return driver.told(step.who, step.text);
    case "at-work":
      return driver.atWork(step.persona);
  }
}
