import { useQuery } from '@tanstack/preact-query'
import { firstUpper } from '../../../src/model/decision.ts'
import type { Page } from '../api.ts'
import { ListRow, RowList, Section } from '../ui/section.tsx'
import { useInvitations } from './share/invitations.tsx'
import { notOpened, viewersQuery } from './viewers.ts'

/** Those whom the page invites and who never came, each with what can be done about it. */
export function NotOpened({ page }: { page: Page }) {
  const { data } = useQuery({ ...viewersQuery(page.id), enabled: page.access === 'people' })
  const emails = data === undefined ? [] : notOpened(page, data)
  return emails.length > 0 && <List page={page} emails={emails} />
}

function List({ page, emails }: { page: Page; emails: string[] }) {
  const { report, standingOf, actionOf } = useInvitations(page)
  return (
    <Section title="Invited, and have not opened it">
      <RowList>
        {emails.map((email) => (
          <ListRow key={email} name={email} about={firstUpper(standingOf(email)) || 'Not mailed'}>
            {actionOf(email)}
          </ListRow>
        ))}
      </RowList>
      {report}
    </Section>
  )
}
