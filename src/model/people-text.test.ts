import { expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { peopleIn } from './people-text.ts'

const ann = { label: 'Ann Li', email: 'ann@example.com' }

test.each([
  ['Ann Li <ann@example.com>', [ann]],
  ['"Ann Li", ann@example.com', [ann]],
  ['name,email\r\nAnn Li,ann@example.com\r\n', [ann]],
  ['ann@example.com;Ann Li', [ann]],
  ['ann@example.com', [{ label: 'ann@example.com', email: 'ann@example.com' }]],
  [
    'Ben\n\n  Cleo (Acme) ',
    [
      { label: 'Ben', email: null },
      { label: 'Cleo (Acme)', email: null },
    ],
  ],
  [
    'a@x.org, b@x.org',
    [
      { label: 'a@x.org', email: 'a@x.org' },
      { label: 'b@x.org', email: 'b@x.org' },
    ],
  ],
  [' ,;\n', []],
])('%j', (text, people) => expect(peopleIn(text)).toEqual(people))

test('takes a time that grows with the text alone', () => {
  for (const part of ['@', 'a@', '"', 'a', ' ', '<@,']) {
    expect(processorMs(() => peopleIn(part.repeat(200_000)))).toBeLessThan(2000)
  }
})
