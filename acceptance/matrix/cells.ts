/** The combinations of the dimensions that exist, and those that are tested. Pure, and no chance. */
import type { Cell, Thing } from './cell.ts'
import { DELIVERIES, GATES, KINDS, THINGS } from './dimensions.ts'
import { EXTRAS } from './extras.ts'

const isOn = ({ kind }: Pick<Cell, 'kind'>, thing: Thing) => kind.hasHtml || thing.isConversation

const ALL: Thing = {
  name: 'all of them',
  isConversation: true,
  html: THINGS.map(({ html }) => html).join(''),
  settings: (visitor) => Object.assign({}, ...THINGS.map((thing) => thing.settings(visitor))),
  events: (cell) => THINGS.flatMap((thing) => (isOn(cell, thing) ? thing.events(cell) : [])),
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

export const nameOf = ({ kind, delivery, gate, thing, extra }: Cell) =>
  `${kind.name}, ${delivery.name}, ${gate.name}, ${thing.name}, ${extra.name}`

function exists(cell: Cell): boolean {
  return isOn(cell, cell.thing) && cell.extra.isFor(cell) && cell.delivery.isFor(cell)
}

/** Every combination that exists. */
export function combinations(): Cell[] {
  return KINDS.flatMap((kind) =>
    DELIVERIES.flatMap((delivery) =>
      GATES.flatMap((gate) =>
        DIMENSIONS.thing.flatMap((thing) =>
          EXTRAS.map((extra) => ({ kind, delivery, gate, thing, extra })).filter(exists),
        ),
      ),
    ),
  )
}

/**
 * What a cell has together: every two of its values, how a page of its kind is opened, and what
 * is asked on which kind and behind which gate.
 */
export function meetingsIn(cell: Cell): string[] {
  const names = Object.values(cell).map(({ name }) => name)
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => [name, other]))
  const opening = [cell.kind.name, cell.delivery.name, cell.gate.name]
  const ask = [cell.extra.name, cell.thing.name]
  const requests = cell.extra.isAsked
    ? [cell.kind.name, cell.gate.name].map((at) => [...ask, at])
    : []
  return [...pairs, opening, ...requests].map((together) => together.join(' + '))
}

/**
 * The cells that are tested: few in which every meeting that exists takes place. Each is the one
 * with the most meetings that are in none before it; of several, the one whose values are rarest.
 */
export const CHOSEN: readonly Cell[] = choose()

function choose(): Cell[] {
  const all = combinations().map((cell) => ({ cell, meetings: meetingsIn(cell) }))
  const left = new Set(all.flatMap(({ meetings }) => meetings))
  const uses = new Map<object, number>()
  const usesOf = (cell: Cell) =>
    Object.values(cell).reduce((total, value) => total + (uses.get(value) ?? 0), 0)
  const chosen: Cell[] = []
  while (left.size > 0) {
    const gains = all.map(({ meetings }) => meetings.filter((each) => left.has(each)).length)
    const most = Math.max(...gains)
    const best = all.filter((_, at) => gains[at] === most)
    const { cell, meetings } = best.reduce((a, b) => (usesOf(b.cell) < usesOf(a.cell) ? b : a))
    for (const meeting of meetings) left.delete(meeting)
    for (const value of Object.values(cell)) uses.set(value, (uses.get(value) ?? 0) + 1)
    chosen.push(cell)
  }
  return chosen
}

/** Half of the chosen cells, with every value of every dimension in it. */
export function half(at: 0 | 1): Cell[] {
  return CHOSEN.filter((_, index) => index % 2 === at)
}
