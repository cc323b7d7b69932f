import { useBoot } from '../account.ts'
import type { Account } from '../boot.ts'
import { Facts } from '../ui/facts.tsx'
import { Section } from '../ui/section.tsx'
import { ShareBar } from '../ui/share-bar.tsx'
import { count, formatBytes, formatNumber } from '../ui/text.ts'

/** The plan with its limits, and how much is used. */
export function Plan({ account }: { account: Account }) {
  const { plan_names: names } = useBoot()
  const { limits, usage, plan_name: name, plan_price: price } = account
  const facts: [string, string][] = [
    ['Pages', `${formatNumber(usage.pages)}, of which ${usage.published_pages} are live`],
    ['Responses', `${count(usage.responses, 'response')}, ${formatBytes(usage.response_bytes)}`],
    ['Largest page, PDF or image', formatBytes(limits.file_bytes)],
    ['Largest deck', formatBytes(limits.deck_bytes)],
    [
      'Responses a page',
      `${formatNumber(limits.responses_per_page)}, ${formatBytes(limits.response_bytes_per_page)}`,
    ],
    [
      'Expiry, view limit, view-only, approvals, full analytics',
      limits.link_controls ? 'Included' : `In ${names.pro} and ${names.team}`,
    ],
  ]
  return (
    <Section
      title={`Plan: ${name}${price === null ? '' : `, ${price}`}`}
      about={limits.link_controls ? undefined : 'The operator of this server sets the plan.'}
    >
      <Use
        what="Pages with all kept versions"
        used={usage.stored_bytes}
        most={limits.stored_bytes}
      />
      {usage.uploads > 0 && (
        <Use
          what={`${count(usage.uploads, 'upload')} that no page has yet`}
          used={usage.upload_bytes}
          most={limits.upload_bytes}
        />
      )}
      <Facts facts={facts} />
    </Section>
  )
}

/** How much is used of what the plan allows, as a bar with its numbers. */
function Use({ what, used, most }: { what: string; used: number; most: number }) {
  return (
    <div className="grid gap-1.5 pb-4">
      <p className="flex flex-wrap justify-between gap-x-6">
        <span className="text-muted">{what}</span>
        <span className="tabular-nums">
          {formatBytes(used)} of {formatBytes(most)}
        </span>
      </p>
      <ShareBar share={used / most} />
      {used >= most && (
        <p className="text-13 text-muted">
          Nothing more fits. Delete pages that you no longer need, or ask for a larger plan.
        </p>
      )}
    </div>
  )
}
