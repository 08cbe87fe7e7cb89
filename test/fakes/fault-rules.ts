/** How often a rule meets the requests that it is for. */
export interface FaultTimes {
  /** How many it meets; one, if nothing is said. */
  readonly times?: number;
  /** Only every n-th of the method, counted from the first after the rule was made. */
  readonly every?: number;
  /** Lets this many pass first. */
  readonly skip?: number;
}

interface Rule<Fault> extends FaultTimes {
  /** The method, or `*` for all. */
  readonly method: string;
  readonly fault: Fault;
}

/** Rules of what goes wrong, for any fake platform. */
export interface FaultRules<FaultRule extends Rule<unknown>> {
  /** Adds a rule; the returned function takes it away. The first rule that meets a request is applied. */
  add(rule: FaultRule): () => void;
  clear(): void;
  /** The fault that this request meets. `isMeant`: the rule is for such a request, apart from its method. */
  take(method: string, isMeant: (rule: FaultRule) => boolean): FaultRule["fault"] | undefined;
}

export function createFaultRules<FaultRule extends Rule<unknown>>(): FaultRules<FaultRule> {
  const rules: { readonly rule: FaultRule; left: number; seen: number }[] = [];

  function isHit(standing: (typeof rules)[number]): boolean {
    const { skip = 0, every = 1 } = standing.rule;
    standing.seen++;
    if (standing.seen <= skip || standing.left <= 0) return false;
    return (standing.seen - skip) % every === 0;
  }

  return {
    add(rule) {
      const standing = { rule, left: rule.times ?? (rule.every ? Number.POSITIVE_INFINITY : 1), seen: 0 };
      rules.push(standing);
      return () => {
        standing.left = 0;
      };
    },
    clear() {
      rules.length = 0;
    },
    take(method, isMeant) {
      let hit: FaultRule["fault"] | undefined;
      for (const standing of rules.filter(({ rule }) => rule.method === method || rule.method === "*")) {
        if (!isMeant(standing.rule) || !isHit(standing) || hit) continue;
        standing.left--;
        hit = standing.rule.fault;
      }
      return hit;
    },
  };
}
