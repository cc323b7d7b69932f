/** Imports: each node with the nodes that it imports. */
export type Graph = ReadonlyMap<string, Iterable<string>>

/**
 * The circles of a graph: its strongly connected components of more than one node, by Tarjan's
 * algorithm. Each is sorted, so that it can be compared.
 */
export function circlesIn(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []

  function visit(node: string): number {
    let low = order.size
    order.set(node, low)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next)!)
    }
    if (low === order.get(node)) close(node)
    return low
  }

  function close(root: string): void {
    const component = stack.splice(stack.indexOf(root))
    if (component.length > 1) circles.push(component.sort())
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.sort()
}
