import type { Account } from '../boot.ts'
import { Facts } from '../ui/facts.tsx'
import { Section } from '../ui/section.tsx'
import { count, formatBytes, formatNumber } from '../ui/text.ts'
import { PLANS } from './plans.ts'

/** The plan with its limits, and how much is used. */
export function Plan({ account }: { account: Account }) {
  const { limits, usage } = account
  const facts: [string, string][] = [
    ['Pages', `${formatNumber(usage.pages)}, of which ${usage.published_pages} are live`],
    ['Stored', `${formatBytes(usage.stored_bytes)} in all kept versions`],
    ['Responses', `${count(usage.responses, 'response')}, ${formatBytes(usage.response_bytes)}`],
    ['Largest page, PDF or image', formatBytes(limits.file_bytes)],
    ['Largest deck', formatBytes(limits.deck_bytes)],
    [
      'Responses a page',
      `${formatNumber(limits.responses_per_page)}, ${formatBytes(limits.response_bytes_per_page)}`,
    ],
    [
      'Expiry, view limit, view-only, approvals, full analytics',
      limits.link_controls ? 'Included' : 'In Pro and Team',
    ],
  ]
  return (
    <Section
      title={`Plan: ${PLANS[account.plan]}`}
      about={limits.link_controls ? undefined : 'The operator of this server sets the plan.'}
    >
      <Facts facts={facts} />
    </Section>
  )
}
