import {
  type InboundMessage,
  type InboundRevision,
  type InboundSender,
  type Inbox,
  type Logger,
  ProtocolError,
  type SessionId,
} from "../../src/index.js";

/** What something on a platform means to us. `nothing` has a reason, for the log. */
export type Inbound =
  | { readonly kind: "message"; readonly message: InboundMessage }
  | { readonly kind: "revision"; readonly revision: InboundRevision }
  | { readonly kind: "nothing"; readonly reason: string };

/** What is none of our business, and why. */
export function nothing(reason: string): Inbound {
  return { kind: "nothing", reason };
}

/** Hands something to the inbox. Rejects when it could not be kept now; what can never be kept is left out with a line in the log. */
export type Accept = (inbound: Inbound) => Promise<void>;

interface AcceptOptions {
  /** The platform's name, as people write it. */
  readonly platform: string;
  readonly inbox: Pick<Inbox, "message" | "revise">;
  /** Somebody has said something new. */
  readonly onSaid: (session: SessionId, from: InboundSender) => Promise<void>;
  readonly logger: Logger;
}

export function createAccept({ platform, inbox, onSaid, logger }: AcceptOptions): Accept {
  async function hand(inbound: Inbound): Promise<void> {
    if (inbound.kind === "revision") return inbox.revise(inbound.revision);
    if (inbound.kind === "nothing") return;
    const { session, from } = inbound.message;
    const { duplicate } = await inbox.message(inbound.message);
    if (!duplicate) void onSaid(session, from);
  }

  return async (inbound) => {
    try {
      await hand(inbound);
    } catch (error) {
      // What can never be accepted would only come again.
      if (!(error instanceof ProtocolError)) throw error;
      logger.warn({ error }, `a message from ${platform} cannot be taken`);
    }
  };
}
