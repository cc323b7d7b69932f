/** A page that is longer than any window, and two passages in it. */
const lines = (count: number) => '<p>The weather was fine and the roads were dry.</p>'.repeat(count)

export const LONG_LETTER = `<!doctype html><html lang="en"><title>Letter</title>
<h1>A long letter</h1>${lines(60)}<p>We meet every Tuesday at nine, in the hall.</p>${lines(60)}
<p>The house opens on the ninth of May, at noon.</p>${lines(60)}</html>`

export const TUESDAY = { quote: 'every Tuesday', prefix: 'We meet ', suffix: ' at nine' }
export const MAY = { quote: 'on the ninth of May', prefix: 'The house opens ', suffix: ', at noon' }

/** What is marked in the middle of the window; null where nothing is. */
export const MARKED = `(() => {
  const ranges = [...(CSS.highlights.get('handbill-comments') ?? [])]
  const { top, bottom } = ranges[0]?.getBoundingClientRect() ?? {}
  const isInMiddle = top > innerHeight / 4 && bottom < innerHeight * 0.75
  return isInMiddle ? ranges.map(String) : null
})()`
