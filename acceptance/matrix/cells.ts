/** The combinations of the dimensions that exist, and those that are tested. Pure, and no chance. */
import type { Cell, Extra, Thing } from './cell.ts'
import { DELIVERIES, EXTRAS, GATES, KINDS, THINGS } from './dimensions.ts'

const isOn = ({ kind }: Pick<Cell, 'kind'>, thing: Thing) => kind.hasHtml || thing.isConversation

const ALL: Thing = {
  name: 'all of them',
  isConversation: true,
  html: THINGS.map(({ html }) => html).join(''),
  settings: (visitor) => Object.assign({}, ...THINGS.map((thing) => thing.settings(visitor))),
  async use(visit) {
    for (const thing of THINGS) if (isOn(visit.cell, thing)) await thing.use(visit)
  },
}

/** The values of each dimension. */
export const DIMENSIONS = {
  kind: KINDS,
  delivery: DELIVERIES,
  gate: GATES,
  thing: [...THINGS, ALL],
  extra: EXTRAS,
} as const
type Dimension = keyof typeof DIMENSIONS

export const nameOf = ({ kind, delivery, gate, thing, extra }: Cell) =>
  `${kind.name}, ${delivery.name}, ${gate.name}, ${thing.name}, ${extra.name}`

function exists(cell: Cell): boolean {
  return isOn(cell, cell.thing) && cell.extra.isFor(cell) && cell.delivery.isFor(cell)
}

/** Each combination of kind, delivery, gate and thing, with the extras that it can have. */
export function combinations(): Cell[][] {
  return KINDS.flatMap((kind) =>
    DELIVERIES.flatMap((delivery) =>
      GATES.flatMap((gate) =>
        DIMENSIONS.thing.map((thing) =>
          EXTRAS.map((extra) => ({ kind, delivery, gate, thing, extra })).filter(exists),
        ),
      ),
    ),
  ).filter((cells) => cells.length > 0)
}

/** The extra of a cell beside each of its other values. */
export function pairsOf({ extra, ...cell }: Cell): string[] {
  return Object.values(cell).map(({ name }) => `${extra.name} + ${name}`)
}

/**
 * Every combination, each with one extra: the one that was least beside these values so far. So
 * every extra meets every kind, delivery, gate and thing.
 */
export function everyCell(): Cell[] {
  const pairs = new Set<string>()
  const uses = new Map<Extra, number>()
  return combinations().map((cells) => {
    const gainOf = (cell: Cell) => pairsOf(cell).filter((pair) => !pairs.has(pair)).length
    const countOf = ({ extra }: Cell) => uses.get(extra) ?? 0
    const [cell] = cells.toSorted((a, b) => gainOf(b) - gainOf(a) || countOf(a) - countOf(b))
    for (const pair of pairsOf(cell!)) pairs.add(pair)
    uses.set(cell!.extra, countOf(cell!) + 1)
    return cell!
  })
}

/** A quarter of the cells, with every value of every dimension in it. */
export function quarter(at: 0 | 1 | 2 | 3): Cell[] {
  const indexOf = (cell: Cell, dimension: Dimension) =>
    (DIMENSIONS[dimension] as readonly unknown[]).indexOf(cell[dimension])
  return everyCell().filter((cell) => {
    const sum = (['kind', 'delivery', 'gate', 'thing'] as const).reduce(
      (total, dimension) => total + indexOf(cell, dimension),
      0,
    )
    return sum % 4 === at
  })
}
