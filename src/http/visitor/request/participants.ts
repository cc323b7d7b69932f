import { admittedEmail, type VisitorFacts } from '../../../features/access/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import type { Participant } from '../../../model/viewer.ts'

export interface ParticipantParts {
  publishedPage: PublishedPage
  /** The verified facts about the visitor, whom the gate admits. */
  facts: VisitorFacts
  /** The random id of the browser. */
  device: string
}

/** The participant of a page's conversations. The address that the gate admits comes first. */
export function participantOf(
  viewers: Viewers,
  { publishedPage: { page, gate }, facts, device }: ParticipantParts,
): Participant {
  const admitted = admittedEmail(gate, facts)
  const others = facts.emails.filter((email) => email !== admitted)
  const emails = admitted === null ? others : [admitted, ...others]
  return viewers.participantOf(page, { isOwner: facts.is_owner, emails, device })
}
