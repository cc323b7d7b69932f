/** Cards beside the page, in every browser: a page with comments, and code that measures it. */
import { dataOf, type Page, pro } from '../client.ts'

const sentences = Array.from({ length: 40 }, (_, n) => `Sentence ${n + 1} of the plan is here.`)
const letter = (
  script: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Letter</title>
<style>body { margin: 80px 40px; font: 18px/1.6 serif; max-width: 40em } p { margin: 0 0 60px }</style>
${script}</head><body><main><h1>The whole plan</h1>${sentences.map((text) => `<p>${text}</p>`).join('\n')}
</main></body></html>`

/** The passages that have comments, in the order of the comments: no two agree. */
export const PASSAGES = [
  'Sentence 20',
  'Sentence 2',
  'The whole plan',
  'Sentence 21',
  'Sentence 35',
]

/** A page with a comment on each passage, two on the first one, and one about the page. */
export async function commented(script = ''): Promise<Page> {
  const page = await pro.publish({ html: letter(script), allow_comments: true })
  const post = async (body: string, anchor: object | null) =>
    pro.call('POST', `/pages/${page.id}/comments`, { body, anchor })
  for (const quote of PASSAGES) {
    const suffix = quote.startsWith('Sentence') ? ' of the plan' : ''
    await post(`About ${quote}.`, { quote, prefix: '', suffix })
  }
  await post('Also about 20.', { quote: 'Sentence 20', prefix: '', suffix: ' of the plan' })
  await post('About the page.', null)
  return page
}

/** The id of the comment with these words. */
export async function idOf({ id }: Pick<Page, 'id'>, words: string): Promise<string> {
  const answer = await pro.call('GET', `/pages/${id}/comments`)
  return dataOf<{ id: string; body: string }[]>(answer).find(({ body }) => body === words)!.id
}

/** In the shell: each card and where it is in the window. */
export const CARDS = `(() => {
  const panel = document.querySelector('#conversations').shadowRoot
  return [...panel.querySelectorAll('[data-card]')].map((card) => {
    const { top, bottom } = card.getBoundingClientRect()
    return { quote: card.querySelector('blockquote').textContent, top, bottom }
  })
})()`

/** In the shell: where the frame begins. */
export const FRAME_TOP = `document.querySelector('iframe').getBoundingClientRect().top`

/** In the frame: where each passage is in its window. */
export const TOPS = `Object.fromEntries(
  [...CSS.highlights.get('handbill-comments')].map((range) => [
    String(range),
    range.getClientRects()[0].top,
  ]),
)`

export interface Card {
  quote: string
  top: number
  bottom: number
}

/** The words of passages that have a card exactly beside them, from above. */
export function besides(
  cards: readonly Card[],
  tops: Readonly<Record<string, number>>,
  frameTop: number,
): string[] {
  const beside = cards.filter(({ quote, top }) => Math.abs(top - frameTop - tops[quote]!) < 1.5)
  return beside.toSorted((a, b) => a.top - b.top).map(({ quote }) => quote)
}
