/** Who we are in Discord. */
export interface Self {
  readonly applicationId: string;
  /** The bot's user id. */
  readonly userId: string;
  readonly name: string;
}
