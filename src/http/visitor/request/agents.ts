import { LRUCache } from 'lru-cache'
import { readUserAgent } from '../../../features/analytics/index.ts'
import type { Fact } from '../../../features/views/index.ts'
import { isPreviewAgent } from './preview-agents.ts'

/** The program that sent a request, by its `User-Agent`. */
export interface Agent {
  /** The header itself; '' without one. */
  text: string
  /** Whether it fetches pages to preview or index them. */
  isPreview: boolean
  /** The facts that are counted of its views. Agents with equal facts share one list. */
  facts: readonly Fact[]
}

/** The agent of a request that is not counted. */
export const NO_AGENT: Agent = { text: '', isPreview: false, facts: [] }

/** The size of the cache of agents. */
const MAX_CHARS = 1024 * 1024

/**
 * Reads `User-Agent` headers. The last ones are cached: a look-up takes 0.05 µs, the expression for
 * preview agents alone 2.5 to 5 µs for a browser's header.
 */
export function createAgentReader(): (text: string) => Agent {
  const lists = new Map<string, readonly Fact[]>()

  function factsOf(text: string): readonly Fact[] {
    const { device, browser } = readUserAgent(text)
    const key = `${device} ${browser}`
    const known = lists.get(key)
    if (known !== undefined) return known
    const facts: Fact[] = []
    if (device !== null) facts.push(['device', device])
    if (browser !== null) facts.push(['browser', browser])
    lists.set(key, facts)
    return facts
  }

  const cache = new LRUCache<string, Agent>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, text) => text.length + 100,
  })
  return (text) => {
    const known = cache.get(text)
    if (known !== undefined) return known
    const agent = { text, isPreview: isPreviewAgent(text), facts: factsOf(text) }
    cache.set(text, agent)
    return agent
  }
}
