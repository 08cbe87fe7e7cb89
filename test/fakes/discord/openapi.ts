import type { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { openapiExcuse, readOpenapi } from "./openapi-document.js";
import { unknownKeys } from "./openapi-keys.js";
import { withoutNoise } from "./openapi-noise.js";
import type { DiscordRequest } from "./recorder.js";
import { isRecord, type Json, records } from "./wire.js";

/** A request, as far as the document has something to say about it. */
export type CheckedRequest = Pick<DiscordRequest, "verb" | "path" | "query" | "body">;

/** Discord's own document as a judge. */
export interface Contract {
  /** What is wrong with a request; empty if nothing is. */
  complaints(request: CheckedRequest): readonly string[];
}

/** The body of a post through a webhook: the other branch of the document lets through what Discord does not. */
const BY_NAME: Readonly<Record<string, string>> = {
  execute_webhook: "#/components/schemas/IncomingWebhookRequestPartial",
};

let shared: Contract | undefined;

/**
 * Holds every request that the fake has recorded against Discord's OpenAPI document. Where that is absent it checks nothing, and in CI
 * it fails. `isMeantSo` leaves out requests that a test has made wrong on purpose.
 */
export function expectKnownRequests(
  fake: { readonly recorder: { readonly requests: readonly DiscordRequest[] } },
  isMeantSo: (request: DiscordRequest) => boolean = () => false,
): void {
  if (openapiExcuse() !== undefined) return;
  shared ??= createContract(readOpenapi());
  const contract = shared;
  const found = fake.recorder.requests
    .filter((request) => !isMeantSo(request))
    .flatMap((request) => contract.complaints(request).map((it) => `${request.verb} ${request.path}: ${it}`));
  expect(found, "what Discord's OpenAPI document says of the requests").toEqual([]);
}

export function createContract(document: Json): Contract {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ["snowflake", "nonce"]) ajv.addFormat(format, true);
  ajv.addSchema({ ...document, $id: "discord" });
  const operations = operationsOf(document);
  const resolve = (pointer: string) => at(document, pointer);

  return {
    complaints({ verb, path, query, body }) {
      const operation = operations.find((it) => it.verb === verb && it.pattern.test(path));
      if (!operation) return ["there is no such operation"];
      const strange = Object.keys(query).filter((name) => !operation.queries.has(name));
      return [
        ...strange.map((name) => `the query "${name}" is unknown`),
        ...bodyComplaints({ ajv, operation, resolve }, withoutNoise(operation.id, body)),
      ];
    },
  };
}

interface Operation {
  readonly id: string;
  readonly verb: string;
  readonly pattern: RegExp;
  readonly params: number;
  readonly queries: ReadonlySet<string>;
  /** Where the schema of its body stands in the document. */
  readonly body: string | undefined;
}

/** Those with the fewest parameters first, so that `@original` wins. */
function operationsOf(document: Json): readonly Operation[] {
  const paths = isRecord(document.paths) ? document.paths : {};
  const all = Object.entries(paths).flatMap(([path, item]) => {
    const methods = Object.entries(isRecord(item) ? item : {}).filter(([, it]) => isRecord(it));
    const common = isRecord(item) ? records(item.parameters) : [];
    return methods.map(([method, it]) => operationOf(path, method, isRecord(it) ? it : {}, common));
  });
  return all.toSorted((a, b) => a.params - b.params);
}

function operationOf(path: string, method: string, operation: Json, common: readonly Json[]): Operation {
  const id = String(operation.operationId);
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  const pointer = `#/paths/${path.replaceAll("/", "~1")}/${method}/requestBody/content/application~1json/schema`;
  const all = [...common, ...records(operation.parameters)];
  return {
    id,
    verb: method.toUpperCase(),
    pattern: new RegExp(`^${escaped}$`),
    params: path.split("{").length,
    queries: new Set(all.filter((it) => it.in === "query").map((it) => String(it.name))),
    body: isRecord(operation.requestBody) ? (BY_NAME[id] ?? pointer) : undefined,
  };
}

interface Judging {
  readonly ajv: Ajv;
  readonly operation: Operation;
  readonly resolve: (pointer: string) => Json;
}

function bodyComplaints({ ajv, operation, resolve }: Judging, body: unknown): readonly string[] {
  if (operation.body === undefined) return isEmpty(body) ? [] : ["a body is not expected"];
  if (body === undefined) return [];
  const validate = ajv.getSchema(`discord${encodeURI(operation.body)}`);
  if (!validate) throw new Error(`the document has no ${operation.body}`);
  const isValid = validate(body);
  const wrong = isValid ? [] : (validate.errors ?? []).map((it) => `${it.instancePath || "the body"} ${it.message}`);
  const strange = unknownKeys(body, [resolve(operation.body)], resolve);
  return [...new Set(wrong), ...strange.map((name) => `the name "${name}" is unknown`)];
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (isRecord(body) && Object.keys(body).length === 0);
}

function at(document: Json, pointer: string): Json {
  let found: unknown = document;
  for (const step of pointer.slice(2).split("/")) {
    found = isRecord(found) ? found[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  if (!isRecord(found)) throw new Error(`the document has no ${pointer}`);
  return found;
}
