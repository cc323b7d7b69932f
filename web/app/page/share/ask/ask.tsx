import { Section } from '../section.tsx'
import { Approvals } from './approvals.tsx'
import { Comments } from './comments.tsx'
import { Poll } from './poll.tsx'

/** What viewers may say: each switch unfolds its own fields. */
export function Ask() {
  return (
    <Section title="Ask viewers">
      <Comments />
      <Approvals />
      <Poll />
    </Section>
  )
}
