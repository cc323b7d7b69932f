/** A card, and where the top of its passage is in the column. */
export interface Card {
  id: string
  wanted: number
  height: number
}

/**
 * The tops of cards in a column, from above: each is beside its passage where there is room. The
 * active one always is, and those around it make way; without one, they make way downwards.
 */
export function arrange(
  cards: readonly Card[],
  { active, gap }: { active: string | null; gap: number },
): Map<string, number> {
  const inOrder = cards.toSorted((a, b) => a.wanted - b.wanted)
  const start = Math.max(
    0,
    inOrder.findIndex(({ id }) => id === active),
  )
  const tops = inOrder.map(({ wanted }) => wanted)
  for (let at = start + 1; at < tops.length; at++) {
    tops[at] = Math.max(tops[at]!, tops[at - 1]! + inOrder[at - 1]!.height + gap)
  }
  for (let at = start - 1; at >= 0; at--) {
    tops[at] = Math.min(tops[at]!, tops[at + 1]! - inOrder[at]!.height - gap)
  }
  return new Map(inOrder.map(({ id }, at) => [id, tops[at]!]))
}
