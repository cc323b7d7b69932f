import { useEffect, useState } from 'react'
import { api } from '../api.ts'

/**
 * An address in memory for a file of the draft, which is read by the API: no address of the server
 * is needed that shows it.
 */
export function useFileUrl(pageId: string, path: string | null) {
  const [url, setUrl] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    setUrl(null)
    setError(null)
    if (path === null) return
    const controller = new AbortController()
    let made: string | null = null
    api
      .readFile({ id: pageId, path }, { signal: controller.signal })
      .then(async (file) => {
        made = URL.createObjectURL(await file.blob())
        if (controller.signal.aborted) URL.revokeObjectURL(made)
        else setUrl(made)
      })
      .catch((err) => controller.signal.aborted || setError(err))
    return () => {
      controller.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [pageId, path])
  return { url, error }
}
