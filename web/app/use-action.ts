import { type QueryKey, type UseMutationOptions, useMutation } from '@tanstack/preact-query'
import { useEffect, useEffectEvent, useRef } from 'preact/compat'
import { messageOf, queryClient, readAgain } from './api.ts'
import { showError, showToast } from './ui/toast.tsx'

interface ActionOptions<Result, Input>
  extends Pick<UseMutationOptions<Result, Error, Input>, 'mutationKey'> {
  /** The key of those that are sent one after another: the last one reads again. */
  inOrder?: readonly string[]
  /** What is read again afterwards, whether it succeeded or not. */
  refresh?: readonly QueryKey[]
  /** What is said once it is done. */
  said?: string | ((result: Result, input: Input) => string) | undefined
  /** What is shown as if it had succeeded already. @returns takes that back */
  expect?(input: Input): () => void
  onDone?(result: Result, input: Input): unknown
  /** Whether the component shows `error` in its place: no message is needed while it is there. */
  hasPlace?: boolean
}

/** Something that the user does by an operation of the API. */
export function useAction<Result, Input = void>(
  run: (input: Input) => Promise<Result>,
  options: ActionOptions<Result, Input> = {},
) {
  const { inOrder, mutationKey = inOrder } = options
  // The library takes new functions only after the next frame: what is typed just before Enter
  // would be lost.
  const latest = useEffectEvent(() => ({ run, ...options }))
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return useMutation({
    ...(mutationKey && { mutationKey }),
    ...(inOrder && { scope: { id: inOrder.join() } }),
    mutationFn: (input: Input) => latest().run(input),
    onMutate: (input) => latest().expect?.(input),
    onSuccess: (result, input) => {
      const { said, onDone } = latest()
      if (said !== undefined) showToast(typeof said === 'string' ? said : said(result, input))
      return onDone?.(result, input)
    },
    onError: (err, _, takeBack) => {
      takeBack?.()
      const hasPlace = latest().hasPlace && !isGone.current
      // What the user has ended is no error.
      if (!hasPlace && err.name !== 'AbortError') showError(messageOf(err))
    },
    onSettled: () => {
      const isLast = !inOrder || queryClient.isMutating({ mutationKey: inOrder }) <= 1
      return readAgain(isLast ? (latest().refresh ?? []) : [])
    },
  })
}
