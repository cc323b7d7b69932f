import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** A new address is requested this long before the old one expires. */
const MARGIN_MS = 60_000

/**
 * The address of a frame that shows a version, or the draft, for an hour.
 * @param state identifies the content: other content has another address
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
