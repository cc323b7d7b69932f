import type { Output } from '../../../src/client/index.ts'
import { api } from '../api.ts'
import { read } from '../queries.ts'
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

export function useLinkSwitch(id: string) {
  return useAction(
    ({ link_id, state }: { link_id: string; state: Link['state'] | null }) =>
      api.updateLink({ id, link_id, state: state === 'off' ? 'active' : 'off' }),
    {
      refresh: [
        ['people', id],
        ['links', id],
      ],
      said: ({ data }) => (data.state === 'off' ? 'Switched off: it opens nothing' : 'Switched on'),
    },
  )
}
