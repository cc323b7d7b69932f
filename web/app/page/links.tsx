import { api, type Output, read } from '../api.ts'
import { QuietButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { useAction } from '../use-action.ts'

type Link = Output<'listLinks'>['data'][number]

/** Why the link of a person opens nothing; null where it does. */
export const LINK_ENDS: Record<Link['state'], string | null> = {
  off: 'Off',
  expired: 'Expired',
  used_up: 'Used up',
  active: null,
}

/** The links that people have of a page: at most a thousand. */
export function linksQuery(id: string) {
  return read(['links', id], () => api.listLinks({ id, limit: 1000 }), 15_000)
}

interface LinkButtonsProps {
  pageId: string
  link: { link_id: string; state: Link['state'] | null }
  /** Whose link it is. */
  who: string
  url: string | (() => Promise<string>)
  className: string
}

/** Copies the link of a person, and switches it off and on. */
export function LinkButtons({ pageId, link, who, url, className }: LinkButtonsProps) {
  const isActive = link.state === 'active'
  const state = isActive ? 'off' : 'active'
  const change = useAction(() => api.updateLink({ id: pageId, link_id: link.link_id, state }), {
    refresh: [['people', pageId], linksQuery(pageId).queryKey],
    said: ({ data }) => (data.state === 'off' ? 'Switched off: it opens nothing' : 'Switched on'),
  })
  return (
    <>
      {isActive && <CopyButton look="quiet" isIcon text={url} label={`Copy link of ${who}`} />}
      {(isActive || link.state === 'off') && (
        <QuietButton className={className} onClick={() => change.mutate()}>
          {isActive ? 'Switch off' : 'Switch on'}
          <span className="sr-only"> the link of {who}</span>
        </QuietButton>
      )}
    </>
  )
}
