import { keepPreviousData } from '@tanstack/preact-query'
import { api } from '../../api.ts'
import { readParts } from '../../queries.ts'
import type { Person } from './words.ts'

const LINES = 500
const OFTEN_MS = 15_000

/** Who has a link or confirmed an address, links first. They are read again by themselves. */
export function peopleQuery(id: string, isUnopenedOnly: boolean) {
  const call = (offset: number) => api.listPeople({ id, offset, ...shown(isUnopenedOnly) })
  return {
    ...readParts(['people', id, isUnopenedOnly], call, OFTEN_MS),
    // The list stays while the filter’s is read.
    placeholderData: keepPreviousData,
  }
}

/** All links that nobody has opened. */
export async function readUnopened(id: string): Promise<Person[]> {
  const people: Person[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part = await api.listPeople({ id, offset, ...shown(true) })
    people.push(...part.data.people)
    offset = part.next_offset
  }
  return people
}

function shown(isUnopenedOnly: boolean) {
  return { limit: LINES, ...(isUnopenedOnly && ({ filter: 'not_opened' } as const)) }
}
