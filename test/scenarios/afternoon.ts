import type { Scene } from "./scenario.js";

/** A persona as it is seen: its name, and its picture, as the code of an emoji or an address. */
interface Face {
  readonly name: string;
  readonly displayName: string;
  readonly avatar: string;
  readonly picture: string;
}

export const FACES: readonly Face[] = [
  { name: "critic", displayName: "Critic", avatar: ":mag:", picture: "https://pictures.example/critic.png" },
  { name: "planner", displayName: "Planner", avatar: ":compass:", picture: "https://pictures.example/planner.png" },
  { name: "tester", displayName: "Tester", avatar: ":test_tube:", picture: "https://pictures.example/tester.png" },
  { name: "writer", displayName: "Writer", avatar: ":pencil2:", picture: "https://pictures.example/writer.png" },
];

/** What each persona says, by its name: rules of its script, as YAML. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  critic: [
    'when: export bug\n    say: "It is in. I have read the fix twice and could not break it."',
    'when: tell the customers\n    say: "Friday, and not a word about the hour. Hours are where promises go to die."',
    'when: stop the release\n    say: "Stop everything!"',
    'when: go wrong\n    times: 1\n    steps: [{ fail: "its model did not answer." }]',
    'when: go wrong\n    say: "On Friday? The migration, if it meets a table that nobody has opened since spring. Try it on a copy first."',
    'when: Harbour\n    times: 2\n    say: "@Planner Lantern is the better name, as I said ({{turn}}). Your turn."',
    'when: Harbour\n    say: "Fine, Harbour it is. I was only fond of the light."',
  ],
  planner: [
    'when: left before\n    say: "Three things: the changelog, one flaky test, and a name for the release. I would begin with the changelog."',
    'when: write the changelog\n    say: "@Writer, please draft the changelog for 2.4. Only what people will notice."',
    'when: will it be there\n    say: "On Thursday, by noon. The Writer is quick, and I have asked nicely."',
    'when: so Friday\n    say: "Friday it is. I have moved the retrospective to Monday."',
    'when: settle on a name\n    say: "@Critic Harbour is the better name, as I said ({{turn}}). Your turn."',
    'when: Lantern\n    say: "@Critic Harbour is the better name, as I said ({{turn}}). Your turn."',
    'when: still on\n    say: "It is. Nothing has moved while I was away."',
  ],
  tester: [
    'when: pager\n    say: "It is. One test waits for a clock that nobody winds; it passes when it is run alone."',
    'when: once more\n    steps: [{ delay_ms: 2500 }, { say: "212 of 212 are green, on both machines." }]',
    'when: anybody hear\n    say: "Loud and clear. The line was gone for a moment; nothing else was."',
    'when: flaky test\n    say: "Mended: it winds its own clock now. Two hundred runs, no failure."',
    'when: long suite\n    steps: [{ delay_ms: 3000 }, { say: "The long suite is green: 1,940 tests in 41 minutes." }]',
  ],
  writer: [
    'when: please draft\n    say: "**What is new in 2.4**\\n\\n- Search answers twice as fast.\\n- A draft survives a closed tab.\\n- Dark mode, at last."',
    'when: one sentence\n    say: "2.4 finds things twice as fast, keeps your drafts, and turns dark when you ask it to."',
    'when: headline\n    say: "How about: “2.4, now with the lights off”?"',
    'when: see the announcement\n    say: "> 2.4 is out: faster search, drafts that stay, and a dark mode.\\n\\nToo dry?"',
    'when: last version\n    steps: [{ delay_ms: 3000 }, { say: "Then this is the last one: “Harbour is here. Come in, it is warm and dark.”" }]',
  ],
};

interface AfternoonOptions {
  /** Personas with an app of their own, by the variable of its token. */
  readonly ownApps?: Readonly<Record<string, string>>;
  /** Pictures by their address, where a platform shows no emoji for one. */
  readonly hasPictures?: boolean;
}

/** The files of the project that the afternoon is played on. */
export function afternoonProject(options: AfternoonOptions = {}): Readonly<Record<string, string>> {
  const { ownApps = {}, hasPictures = false } = options;
  const personas = FACES.map(({ name, displayName, ...face }) => {
    const avatar = hasPictures ? face.picture : face.avatar;
    const app = ownApps[name] === undefined ? "" : `slack:\n  token_env: ${ownApps[name]}\n`;
    const script = (SCRIPTS[name] ?? []).map((rule) => `  - ${rule}\n`).join("");
    const head = `name: ${name}\ndisplay_name: ${displayName}\navatar: "${avatar}"\ndescription: The ${name} of the team.\n`;
    return [`personas/${name}.md`, `---\n${head}${app}script:\n${script}---\nYou are ${displayName}.\n`] as const;
  });
  return {
    "troupe.yaml": "slack: { pace: 0 }\n",
    ...Object.fromEntries(personas),
  };
}

/**
 * An afternoon of three people, ann, bob and cleo, with four personas and a foreign bot, two days before a release. Every text is said
 * once, so that nothing seen twice can be meant to be.
 */
export const AFTERNOON: readonly Scene[] = [
  {
    title: "A question is answered",
    steps: [
      { do: "say", who: "ann", as: "left", text: "@Planner what is left before 2.4 goes out?", ends: "woke planner" },
      { do: "see", from: "Planner", under: "left", text: "Three things: the changelog" },
    ],
  },
  {
    title: "One persona asks another",
    steps: [
      {
        do: "say",
        who: "bob",
        as: "log",
        text: "@Planner can somebody write the changelog, please?",
        ends: "woke planner",
      },
      { do: "see", from: "Planner", under: "log", text: "Writer, please draft" },
      { do: "see", from: "Writer", under: "log", text: "Search answers twice as fast." },
    ],
  },
  {
    title: "In a thread the persona that spoke last is meant",
    needs: ["threads"],
    steps: [
      {
        do: "say",
        who: "bob",
        as: "shorter",
        under: "log",
        text: "Lovely. And in one sentence?",
        ends: "woke writer",
      },
      { do: "see", from: "Writer", under: "log", text: "turns dark when you ask it to" },
    ],
  },
  {
    title: "An answer to a persona's words is meant for it, whoever spoke last",
    needs: ["threads", "replies"],
    steps: [
      {
        do: "say",
        who: "bob",
        as: "when",
        under: "log",
        answers: "please draft the changelog",
        text: "And when will it be there?",
        ends: "woke planner",
      },
      { do: "see", from: "Planner", under: "log", text: "On Thursday, by noon." },
    ],
  },
  {
    title: "A foreign bot wakes nobody",
    needs: ["bots"],
    steps: [
      { do: "bot", text: "Nightly build failed: 1 of 212 tests. @Tester @Planner" },
      {
        do: "bot",
        text: "From the forum: does 2.4 run on my toaster? @Writer",
        through: "webhook",
        needs: ["webhooks"],
      },
      { do: "say", who: "bob", as: "pager", text: "@Tester is the pager right?", ends: "woke tester" },
      { do: "see", from: "Tester", under: "pager", text: "a clock that nobody winds" },
    ],
  },
  {
    title: "An edit that mentions somebody for the first time wakes",
    needs: ["edits"],
    steps: [
      {
        do: "say",
        who: "cleo",
        as: "export",
        text: "Does anyone know if the export bug is in it?",
        ends: "ignored no_mention",
      },
      { do: "edit", said: "export", text: "@Critic do you know if the export bug is in it?", ends: "woke critic" },
      { do: "see", from: "Critic", under: "export", text: "could not break it" },
    ],
  },
  {
    title: "A message deleted while it waits is not answered",
    needs: ["edits", "threads"],
    steps: [
      { do: "say", who: "ann", as: "again", text: "@Tester please run everything once more.", ends: "woke tester" },
      { do: "at-work", persona: "tester" },
      {
        do: "say",
        who: "bob",
        as: "panic",
        under: "again",
        text: "@Critic should we stop the release?",
        ends: "superseded",
      },
      { do: "remove", said: "panic" },
      { do: "see", from: "Tester", under: "again", text: "212 of 212 are green" },
    ],
  },
  {
    title: "A question between two",
    needs: ["direct"],
    steps: [
      {
        do: "say",
        who: "cleo",
        as: "customers",
        direct: true,
        text: "What may I tell the customers?",
        ends: "woke critic",
      },
      { do: "see", from: "Critic", under: "customers", text: "not a word about the hour" },
    ],
  },
  {
    title: "What failed is tried again by the button",
    steps: [
      { do: "say", who: "ann", as: "wrong", text: "@Critic what could go wrong on Friday?", ends: "woke critic" },
      { do: "see", under: "wrong", text: "Critic could not answer" },
      { do: "press", who: "cleo", button: "Retry" },
      { do: "see", from: "Critic", under: "wrong", text: "Try it on a copy first." },
    ],
  },
  {
    title: "Who asks two is told that one was asked",
    needs: ["private"],
    steps: [
      { do: "say", who: "bob", as: "headline", text: "@Writer @Critic we need a headline.", ends: "woke writer" },
      { do: "see", from: "Writer", under: "headline", text: "now with the lights off" },
      { do: "told", who: "bob", text: "Critic" },
    ],
  },
  {
    title: "The way to the platform is bad for a while",
    needs: ["troubles"],
    steps: [
      { do: "trouble", kind: "answer-lost" },
      { do: "say", who: "ann", as: "flaky", text: "@Tester and the flaky test?", ends: "woke tester" },
      { do: "see", from: "Tester", under: "flaky", text: "winds its own clock now" },
      { do: "trouble", kind: "came-twice" },
      { do: "trouble", kind: "slow-down" },
      { do: "say", who: "bob", as: "friday", text: "@Planner so Friday?", ends: "woke planner" },
      { do: "see", from: "Planner", under: "friday", text: "Friday it is." },
      { do: "trouble", kind: "refused-once" },
      { do: "say", who: "cleo", as: "dry", text: "@Writer may I see the announcement?", ends: "woke writer" },
      { do: "see", from: "Writer", under: "dry", text: "Too dry?" },
      { do: "trouble", kind: "cut-off" },
      { do: "say", who: "ann", as: "hear", text: "@Tester can anybody hear me?", ends: "woke tester" },
      { do: "see", from: "Tester", under: "hear", text: "Loud and clear." },
    ],
  },
  {
    title: "Two personas that loop are paused, and resumed by the button",
    steps: [
      {
        do: "say",
        who: "ann",
        as: "name",
        text: "@Planner please settle on a name with the critic.",
        ends: "woke planner",
      },
      { do: "see", from: "Planner", under: "name", text: "Harbour is the better name, as I said (3)" },
      { do: "see", under: "name", text: "Critic and Planner are paused" },
      { do: "press", who: "bob", button: "Resume" },
      { do: "see", from: "Critic", under: "name", text: "Fine, Harbour it is." },
      { do: "see", under: "name", text: "resumed Critic and Planner. 1 held message delivered." },
    ],
  },
  {
    title: "The service is restarted in the middle of a turn",
    steps: [
      { do: "say", who: "bob", as: "long", text: "@Tester please run the long suite, too.", ends: "woke tester" },
      { do: "at-work", persona: "tester" },
      { do: "end", how: "stop" },
      {
        do: "say",
        who: "cleo",
        as: "still",
        text: "@Planner is Friday still on?",
        ends: "woke planner",
        needs: ["missed"],
      },
      { do: "start" },
      { do: "see", from: "Tester", under: "long", text: "1,940 tests" },
      { do: "see", from: "Planner", under: "still", text: "Nothing has moved", needs: ["missed"] },
    ],
  },
  {
    title: "The service is killed in the middle of a turn",
    steps: [
      {
        do: "say",
        who: "ann",
        as: "last",
        text: "@Writer the last version of the announcement, please.",
        ends: "woke writer",
      },
      { do: "at-work", persona: "writer" },
      { do: "end", how: "kill" },
      { do: "start" },
      { do: "see", from: "Writer", under: "last", text: "Harbour is here." },
    ],
  },
  {
    title: "What was pressed and typed late is answered to whom it concerns",
    needs: ["private"],
    steps: [
      { do: "press-again", who: "ann" },
      { do: "told", who: "ann", text: "Already resumed by bob." },
      { do: "command", who: "cleo", text: "room" },
      { do: "told", who: "cleo", text: "0/6 (default)" },
      { do: "say", who: "cleo", as: "more", text: "@Troupe budget 40", ends: "ignored command" },
      { do: "told", who: "cleo", text: "for admins" },
    ],
  },
  {
    title: "A message to nobody is left alone",
    needs: ["silence"],
    steps: [
      { do: "say", who: "ann", as: "bye", text: "Thank you all. See you on Friday!", ends: "ignored no_mention" },
    ],
  },
];
