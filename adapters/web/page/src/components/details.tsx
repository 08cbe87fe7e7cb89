import type { ComponentChildren, VNode } from "preact";
import { useRoom } from "../cast.js";
import type { Preferences, Theme } from "../state/preferences.js";
import type { RoomState, RosterMember } from "../wire.js";
import { Avatar } from "./avatar.js";
import { BurstMeter } from "./burst-meter.js";
import { Icon } from "./icons.js";

function Status({ member }: { readonly member: RosterMember }): ComponentChildren {
  return member.missing ? <span class="badge badge-warning">file is gone</span> : null;
}

function Member({ member }: { readonly member: RosterMember }): VNode {
  const { cast, composer } = useRoom();
  return (
    <li class={member.missing ? "member missing" : "member"}>
      <span class="member-face">
        <Avatar name={member.displayName} avatar={member.avatar} tone={cast.toneOf(member.name)} />
        {member.busy && <span class="busy" role="img" aria-label="thinking" title="thinking" />}
      </span>
      <div class="member-body">
        <p class="member-name">
          <button
            type="button"
            class="link-plain"
            title={`Mention @${member.name}`}
            disabled={member.missing}
            onClick={() => composer.current?.append(`@${member.name} `)}
          >
            {member.displayName}
          </button>
          <span class="handle">@{member.name}</span>
          {member.host && (
            <span class="badge badge-host" title="Answers when nobody is mentioned">
              host
            </span>
          )}
          <Status member={member} />
        </p>
        <p class="member-description">{member.description}</p>
      </div>
    </li>
  );
}

function Setting({
  label,
  value,
  command,
}: {
  readonly label: string;
  readonly value: string;
  readonly command: string;
}): VNode {
  const { composer } = useRoom();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <button
          type="button"
          class="link-plain"
          title={`Change with ${command}`}
          onClick={() => composer.current?.fill(`${command} `)}
        >
          {value}
        </button>
      </dd>
    </div>
  );
}

function Settings({ state }: { readonly state: RoomState }): VNode {
  const { settings, host } = state;
  const { cast } = useRoom();
  return (
    <dl class="fields">
      <Setting label="Host" value={host === null ? "none" : cast.nameOf(host)} command="/agent host" />
      <Setting label="Budget" value={`${settings.budget} (${settings.budgetSource})`} command="/agent budget" />
      <Setting label="Fan-out" value={String(settings.fanout)} command="/agent fanout" />
      <Setting label="Wake" value={settings.wake} command="/agent wake" />
      <Setting label="Reply" value={settings.reply} command="/agent reply" />
    </dl>
  );
}

/** Pairs that are not open: who, and how many messages wait. */
function Pairs({ state }: { readonly state: RoomState }): ComponentChildren {
  const { cast, composer } = useRoom();
  const closed = state.pairs.filter((pair) => pair.state !== "open");
  if (closed.length === 0) return null;
  return (
    <section aria-labelledby="pairs-title">
      <h2 class="side-title" id="pairs-title">
        Paused pairs
      </h2>
      <ul class="pairs">
        {closed.map(({ id, personas, state: at, held }) => (
          <li key={id}>
            <button
              type="button"
              class="link-plain"
              title="Resume with a command"
              onClick={() => composer.current?.fill(`/agent resume ${personas.join(" ")}`)}
            >
              {personas.map(cast.nameOf).join(" and ")}
            </button>
            <span class="badge badge-warning">{at === "paused" ? `${held} held` : "releasing"}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const THEMES: readonly { readonly theme: Theme; readonly label: string; readonly icon: "auto" | "sun" | "moon" }[] = [
  { theme: "system", label: "As the system", icon: "auto" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
];

export interface DetailsProps {
  readonly state: RoomState | null | undefined;
  readonly roster: readonly RosterMember[];
  readonly preferences: Preferences;
  onPreferences(preferences: Preferences): void;
}

function View({ preferences, onPreferences }: Omit<DetailsProps, "state" | "roster">): VNode {
  return (
    <>
      <fieldset class="themes">
        <legend class="hidden">Colours</legend>
        {THEMES.map(({ theme, label, icon }) => (
          <label class="theme" title={label}>
            <input
              type="radio"
              name="theme"
              class="hidden"
              checked={preferences.theme === theme}
              onChange={() => onPreferences({ ...preferences, theme })}
            />
            <Icon name={icon} />
            <span class="hidden">{label}</span>
          </label>
        ))}
      </fieldset>
      <label class="switch">
        <input
          type="checkbox"
          checked={preferences.showActivity}
          onChange={(event) => onPreferences({ ...preferences, showActivity: event.currentTarget.checked })}
        />
        Show what personas do besides talking
      </label>
    </>
  );
}

/** Who is in the room, how it is set, and how the page looks. */
export function Details({ state, roster, preferences, onPreferences }: DetailsProps): VNode {
  return (
    <>
      <section aria-labelledby="here-title">
        <h2 class="side-title" id="here-title">
          In this room
        </h2>
        {state === null && <p class="side-note">They join with the first message.</p>}
        <ul class="members">
          {roster.map((member) => (
            <Member key={member.name} member={member} />
          ))}
        </ul>
        {state?.roster.length === 0 && <p class="side-note">Nobody yet. Bring somebody in with /agent add.</p>}
      </section>
      {state && (
        <section aria-labelledby="burst-title">
          <h2 class="side-title" id="burst-title">
            Burst
          </h2>
          <BurstMeter burst={state.burst} />
          <p class="side-note">Agent messages in a row without a person. Any message of yours starts it anew.</p>
        </section>
      )}
      {state && (
        <section aria-labelledby="settings-title">
          <h2 class="side-title" id="settings-title">
            Settings
          </h2>
          <Settings state={state} />
        </section>
      )}
      {state && <Pairs state={state} />}
      <section aria-labelledby="view-title">
        <h2 class="side-title" id="view-title">
          View
        </h2>
        <View preferences={preferences} onPreferences={onPreferences} />
      </section>
    </>
  );
}
