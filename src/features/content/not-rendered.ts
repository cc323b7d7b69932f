import { refuse } from '../../model/errors.ts'

/** @throws Refusal `invalid_markdown` in place of an error of its nesting or time */
export function notRendered(err: unknown): never {
  if (!(err instanceof RangeError)) throw err
  const message = 'The Markdown is nested too deep, or takes too long to render: simplify it.'
  throw refuse.invalid('invalid_markdown', message)
}
