/** The time of an item. Items with the same time are ordered by id. */
export interface Moment {
  at: string
  id: string
}

/** A part of a list with the newest first: those before a moment, or the first ones. */
export interface NewestRange {
  before: Moment | null
  limit: number
}

/** The part of a whole list that is in the range, the newest first. */
export function newestIn<T extends Moment>(all: readonly T[], { before, limit }: NewestRange): T[] {
  const older = before === null ? all : all.filter((each) => compareNewest(each, before) > 0)
  return older.toSorted(compareNewest).slice(0, limit)
}

function compareNewest(a: Moment, b: Moment): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
