import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/compat'
import { api } from '../api.ts'

/**
 * An address in memory for a file of the draft, which is read by the API: no address of the server
 * is needed that shows it.
 */
export function useFileUrl(pageId: string, path: string | null) {
  const { data: file, error } = useQuery({
    queryKey: ['draft-file', pageId, path, 'blob'],
    queryFn: async ({ signal }) =>
      (await api.readFile({ id: pageId, path: path! }, { signal })).blob(),
    enabled: path !== null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return { url, error }
}
