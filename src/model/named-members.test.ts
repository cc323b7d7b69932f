import { expect, test } from 'bun:test'
import { z } from 'zod'
import { pickerOf } from './named-members.ts'

const person = z.object({ name: z.string().nullable(), kind: z.enum(['owner', 'viewer']) })
const schema = z.object({
  id: z.string(),
  url: z.url().optional(),
  size: z.int().optional(),
  is_open: z.boolean(),
  author: person.nullable(),
  replies: z.array(z.object({ author: person, tags: z.array(z.string()) })),
})
const pick = pickerOf(schema)
const ann = { name: 'Ann', kind: 'owner' as const }

test('a copy has what the schema names, as parsing gives it', () => {
  for (const value of [
    { id: 'a', is_open: true, author: null, replies: [] },
    {
      id: 'b',
      url: 'https://a.example/',
      size: 3,
      is_open: false,
      author: ann,
      replies: [{ author: ann, tags: ['x', 'y'] }],
    },
    { id: 'c', size: undefined, is_open: false, author: { ...ann, name: null }, replies: [] },
  ]) {
    expect(pick(value)).toEqual(schema.parse(value))
    expect(JSON.stringify(pick(value))).toBe(JSON.stringify(schema.parse(value)))
  }
})

test('a copy has nothing that the schema does not name, at any depth', () => {
  const secret = { email: 'ann@example.com', id: 'other' }
  const value = {
    ...{ id: 'a', is_open: true, email: 'ann@example.com' },
    author: { ...ann, ...secret },
    replies: [{ author: { ...ann, ...secret }, tags: [], secret }],
  }
  expect(pick(value)).toEqual(schema.parse(value))
  expect(JSON.stringify(pick(value))).not.toContain('email')
})

test('what is in the place of something else is refused', () => {
  const value = { id: 'a', is_open: true, author: ann, replies: [] }
  const wrong: [object, string][] = [
    [{ id: { email: 'ann@example.com' } }, 'There is object in place of a plain value.'],
    [{ id: undefined }, 'There is undefined in place of a plain value.'],
    [{ id: null }, 'There is null in place of a plain value.'],
    [{ author: 'ann@example.com' }, 'There is string in place of an object.'],
    [{ replies: { email: 1 } }, 'There is object in place of a list.'],
    [{ replies: [null] }, 'There is null in place of an object.'],
  ]
  for (const [change, message] of wrong) {
    expect(() => pick({ ...value, ...change })).toThrow(message)
  }
  expect(() => pickerOf(z.union([person, schema]))).toThrow('type union')
})
