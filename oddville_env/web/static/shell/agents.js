/** Agents by names for people: what the page knows of a spec is said in words, anything else by its spec. */

import { hasText, t } from "./i18n.js";

/** `search:ms=1000` -> "Search, 1 s". */
export function agentName(spec) {
  const [kind, options] = spec.split(/:(.*)/s);
  if (!hasText(`agent_${kind}`)) return spec;
  const seconds = options?.match(/^ms=(\d+)$/)?.[1];
  if (options && !seconds) return `${t(`agent_${kind}`)} (${options})`;
  return t(`agent_${kind}`) + (seconds ? `, ${Number(seconds) / 1000} s` : "");
}

/** What kind of player an agent is, in a few words. */
export function agentWords({ spec, about }) {
  const [kind] = spec.split(":");
  return hasText(`agent_${kind}_words`) ? t(`agent_${kind}_words`) : about;
}
