/** A file that `troupe init` writes. */
export interface InitFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly text: string;
}

const CONFIG = `# Troupe's configuration. Every key has a default: what is commented out shows it.
# Check it with: troupe check
# For help while you type, write "troupe schema config > troupe.schema.json" once and make this the first line:
# yaml-language-server: $schema=./troupe.schema.json

version: 1

# Name of the team. Part of what each persona knows about itself.
team: my-team

# Folder of persona files, one Markdown file each.
personas: ./personas

# Persona that answers when nothing else decides. Default: the first in name order.
# default_persona: planner

# Model of personas that name none, as provider:model.
# Providers: anthropic, openai, google, openai-compatible (Ollama, vLLM, LM Studio and others).
# default_model: openai-compatible:llama3.1

multi_agent:
  # Agent messages in a row without a person. Then the room waits for somebody to press Continue.
  burst_budget: 6
  # How many mentioned personas one message may wake, in text order.
  # fanout: 1

# Two personas that loop are paused until a person presses Resume.
# pair_guard:
#   enabled: true
#   alternations: 10             # messages back and forth without progress
#   repeats: 3                   # nearly identical messages in a row
#   similarity: 90               # percent from which they are nearly identical
#   max_messages: 20             # more than this within the window, with progress or without; 0: no such rule
#   window_secs: 600
#   held_max: 50                 # messages that one pause keeps
#   resume: members              # members | admins
#   notify_command: [sh, -c, "cat >> pauses.jsonl"]    # told of each pause, as JSON on its input

# limits:
#   max_concurrent_turns: 32
#   turn_timeout_secs: 300
#   max_steps: 12                # model calls in one turn

# schedules:
#   min_interval_secs: 60        # a schedule fires at most once in so many seconds
#   max_per_persona: 10
#   max_per_room: 20

# What a new room starts with. From then on commands in the room own its members and host.
# rooms:
#   defaults:
#     personas: all              # or a list: [planner, critic]
#     bots: []                   # ids of other bots that may take part
#     wake: mention              # mention | always
#     reply: thread              # thread | channel
#   overrides:                   # by room id, platform:space:channel
#     "web:local:main": { personas: [planner, critic], host: planner }

# User ids that may use admin commands, by platform. A platform that is not listed uses its own notion of an admin.
# admins: { slack: [U0ADMIN], discord: ["200000000000000001"] }

# Slack joins in when its tokens are in the environment.
# slack:
#   mode: socket                 # socket | http; default: what the secrets in the environment are for
#   pace: 1                      # posts per second and channel; 0: only what Slack itself asks for

# Discord joins in when its token is in the environment; there is nothing else to set.
# discord: {}

# What was said while the service was down is answered at its next start if it is younger.
# catch_up_minutes: 60

# web:
#   host: 127.0.0.1              # other than loopback needs TROUPE_ADMIN_TOKEN
#   port: 8730
#   public_url: https://troupe.example.org
`;

const ENV = `# Secrets and settings from the environment. Copy this file to .env, and keep .env out of version control.
# Troupe does not read .env by itself. Hand it over in one of these ways:
#   set -a; . ./.env; set +a; npm start
#   node --env-file=.env dist/bin/troupe.js start
#   docker run --env-file .env …      or in compose.yaml: env_file: .env
# A secret may be in a file of its own: put _FILE behind the variable's name and give the path.

# Model providers: set those that your personas use.
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
# GOOGLE_GENERATIVE_AI_API_KEY=
# OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:11434/v1
# OPENAI_COMPATIBLE_API_KEY=
# TROUPE_DEFAULT_MODEL=openai-compatible:llama3.1

# Slack through Socket Mode: the first two. Over HTTP, on the service's own port: the first and the third.
# SLACK_BOT_TOKEN=xoxb-…
# SLACK_APP_TOKEN=xapp-…
# SLACK_SIGNING_SECRET=
# SLACK_API_URL=https://slack.com/api/

# Discord. The address of the API only for a proxy or a test server.
# DISCORD_TOKEN=
# DISCORD_API_URL=https://discord.com/api

# The person's key to the web room. Without it a new one is made at each start. Needed on other addresses than loopback.
# TROUPE_ADMIN_TOKEN=

# These take precedence over troupe.yaml.
# TROUPE_CONFIG=./troupe.yaml
# TROUPE_DATA_DIR=./data
# TROUPE_HOST=127.0.0.1
# TROUPE_PORT=8730
# TROUPE_PUBLIC_URL=
# TROUPE_BURST_BUDGET=6
# TROUPE_PAIR_GUARD=1
# TROUPE_PAIR_ALTERNATIONS=10
# TROUPE_PAIR_REPEATS=3
# TROUPE_PAIR_SIMILARITY=90
# TROUPE_PAIR_MAX_MESSAGES=20
# TROUPE_PAIR_WINDOW_SECS=600
# TROUPE_LOG_LEVEL=info
`;

const PLANNER = `---
name: planner
display_name: Planner
description: Turns a goal into a short plan with owners, and asks Critic to look for holes.
avatar: ":compass:"
# model: anthropic:claude-sonnet-4-5    # else the default model
# Until a model is set, this script answers. Remove it and Planner thinks for itself.
script:
  - when: "plan"
    say: "A plan in three steps: write down the goal, try the riskiest part first, then do the rest. @critic what did I miss?"
  - say: "Hello {{sender}}. I have no model yet: set default_model in troupe.yaml and remove my script. Until then, try \\"@planner plan a release\\"."
---
You are Planner. You turn what people want into a plan that a team can follow.

- Ask at most one question, and only if the answer would change the plan.
- A plan has three to six steps. Each step says who does it and how to tell that it is done.
- When a plan costs more than a day to undo, ask @critic once, and put what you learn into the plan.
- When everything is settled, say so in one line and mention nobody.
`;

const CRITIC = `---
name: critic
display_name: Critic
description: Finds what is missing or wrong in a plan or a text, and says how to mend it.
avatar: ":mag:"
# model: anthropic:claude-sonnet-4-5    # else the default model
# Until a model is set, this script answers. Remove it and Critic thinks for itself.
script:
  - say: "One thing is missing: how will you notice early that it goes wrong? Add that, and I am content."
---
You are Critic. You look for what would go wrong, so that it does not.

- Name the three most costly faults at most, the worst first. Say for each what would mend it.
- If something is good as it is, say that in one sentence. Never invent faults.
- You judge the work, never the person.
- Answer whoever asked. Mention @planner only if the plan must change.
`;

/** The configuration and what belongs to it. */
export const PROJECT_FILES: readonly InitFile[] = [
  { path: "troupe.yaml", text: CONFIG },
  { path: ".env.example", text: ENV },
];

/** Example personas, for a folder that has none. */
export const PERSONA_FILES: readonly InitFile[] = [
  { path: "personas/planner.md", text: PLANNER },
  { path: "personas/critic.md", text: CRITIC },
];
