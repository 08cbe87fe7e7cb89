// A Chat SDK bot that answers each mention in its thread. It keeps nothing. Started by the Slack bench, which tells it where Slack is.
import { createServer } from "node:http";
import { createSlackAdapter } from "@chat-adapter/slack";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat } from "chat";

const { SLACK_API_URL: apiUrl, SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret } = process.env;
const bot = new Chat({
  userName: "troupe",
  adapters: { slack: createSlackAdapter({ apiUrl, botToken, signingSecret }) },
  state: createMemoryState(),
  logger: "silent",
});
bot.onNewMention(async (thread, message) => {
  await thread.post(message.text);
});

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const incoming = new Request(`http://127.0.0.1${request.url}`, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
  });
  const answer = await bot.webhooks.slack(incoming, { waitUntil: (work) => void work.catch(console.error) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
