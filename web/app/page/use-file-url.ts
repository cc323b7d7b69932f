import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/compat'
import { api } from '../api.ts'

/** An address in memory for a file of the draft: none of the server shows it. */
export function useFileUrl(id: string, path: string | null) {
  const { data: file, error } = useQuery({
    queryKey: ['draft-file', id, path, 'blob'],
    queryFn: async ({ signal }) => (await api.readFile({ id, path: path! }, { signal })).blob(),
    enabled: path !== null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { url: useObjectUrl(file), error }
}

/** An address in memory for a file, as long as it is shown. */
export function useObjectUrl(file: Blob | null | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const address = URL.createObjectURL(file)
    setUrl(address)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(address)
    }
  }, [file])
  return url
}

/** An address that has the whole file in it, as base64. */
export function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
