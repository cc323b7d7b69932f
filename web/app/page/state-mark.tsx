import type { ShownState } from '../../../src/model/page/facts.ts'
import { STATE_WORDS } from './words.ts'

const DOTS: Record<ShownState, string> = {
  live: 'bg-[light-dark(#2b6e3f,#7cc791)]',
  changes: 'bg-[light-dark(#86590a,#e5b450)]',
  draft: 'border border-control',
  trash: 'border border-danger',
  expired: 'bg-danger',
  view_limit: 'bg-danger',
  taken_down: 'bg-danger',
}

export function StateMark({ state }: { state: ShownState }) {
  return (
    <span className="inline-flex items-center gap-2 text-13">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${DOTS[state]}`} />
      {STATE_WORDS[state]}
    </span>
  )
}
