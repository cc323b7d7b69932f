import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ContentProblem } from '../../../../src/client/content/local-content.ts'
import { useAccount } from '../../account.ts'
import { messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { type Progress, replaceContent } from '../../publishing/publish.ts'
import { readSource } from '../../publishing/read-source.ts'
import type { Source } from '../../publishing/sources.ts'
import { showToast } from '../../ui/toast.tsx'
import { pageQuery } from '../queries.ts'

/** A new file for a page, on its way or refused. */
export interface Replacement {
  name: string
  isSending: boolean
  progress: Progress | null
  /** Why it was refused, and whether another attempt could succeed. */
  problem: { message: string; canRetry: boolean } | null
}

/** Makes a file the draft of a PDF or image page: sent with progress, stopped and tried again. */
export function useReplacement(page: Page) {
  const account = useAccount()
  const client = useQueryClient()
  const stop = useRef(new AbortController())
  const [progress, setProgress] = useState<Progress | null>(null)
  const { mutate, reset, variables, isPending, error } = useMutation({
    mutationFn: async (sources: readonly Source[]) => {
      const { signal } = stop.current
      const local = await readSource(onlyFile(sources))
      if (local.kind !== 'file') throw notAFile(nameOf(sources))
      const options = { account, signal, onProgress: setProgress }
      return (await replaceContent(page.id, local, options)).data
    },
    onSuccess: (saved, sources) => {
      client.setQueryData(pageQuery(page.id).queryKey, saved)
      showToast(`${nameOf(sources)} is the draft. The file before is among the versions.`)
      reset()
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['pages'] }),
        client.invalidateQueries({ queryKey: ['versions', page.id] }),
      ]),
  })
  function start(sources: readonly Source[]): void {
    stop.current.abort()
    stop.current = new AbortController()
    setProgress(null)
    mutate(sources)
  }
  function cancel(): void {
    stop.current.abort(new DOMException('Cancelled', 'AbortError'))
    reset()
  }
  const replacement: Replacement | null =
    variables === undefined
      ? null
      : {
          name: nameOf(variables),
          isSending: isPending,
          progress,
          problem: error && {
            message: messageOf(error),
            canRetry: !(error instanceof ContentProblem),
          },
        }
  return { replacement, start, cancel, retry: () => variables && start(variables) }
}

function onlyFile(sources: readonly Source[]): Source {
  const [source, ...others] = sources
  if (source === undefined || others.length > 0 || source.isFolder) {
    throw new ContentProblem('A page of this kind has one file: choose one PDF or image.')
  }
  return source
}

function notAFile(name: string): ContentProblem {
  return new ContentProblem(
    `${name} is no PDF or image, and this page is one: publish it as a page of its own.`,
  )
}

function nameOf(sources: readonly Source[]): string {
  return sources[0]?.name ?? 'The file'
}
