import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** Asked for anew this long before the address ends. */
const MARGIN_MS = 60_000

/**
 * The address of a frame that shows a version, or the draft, for an hour.
 * @param state what names the content: with other content there is another address
 */
export function previewQuery(id: string, version: number | 'draft', state: string) {
  return queryOptions({
    queryKey: ['preview', id, version, state],
    queryFn: async () => {
      const input = version === 'draft' ? { id } : { id, version_no: version }
      return (await api.previewPage(input)).data
    },
    staleTime: ({ state: { data } }) => leftMs(data),
    refetchInterval: ({ state: { data } }) => (data ? Math.max(1000, leftMs(data)) : false),
    gcTime: 5 * 60_000,
  })
}

function leftMs(preview: { expires_at: string } | undefined): number {
  if (preview === undefined) return 0
  return Math.max(0, Date.parse(preview.expires_at) - MARGIN_MS - Date.now())
}
