// A bare Bolt app that answers each mention in its thread. It keeps nothing. Started by the Slack bench, which tells it where Slack is.
import { App, HTTPReceiver } from "@slack/bolt";

const {
  SLACK_API_URL: slackApiUrl = "",
  SLACK_BOT_TOKEN: token = "",
  SLACK_SIGNING_SECRET: signingSecret = "",
} = process.env;
const receiver = new HTTPReceiver({ signingSecret });
const app = new App({ token, receiver, clientOptions: { slackApiUrl } });
app.event("app_mention", async ({ event, client }) => {
  await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: event.text });
});
const server = await receiver.start({ port: 0, host: "127.0.0.1" });
const address = server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}\n`);
