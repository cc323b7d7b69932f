import { type Account, api, type Input, queryClient } from '../api.ts'
import { useAction } from '../use-action.ts'

/** Changes the account, and shows the change at once. */
export function useUpdateAccount() {
  const put = (account: Account | undefined) => queryClient.setQueryData(['account'], account)
  return useAction(
    async (change: Input<'updateAccount'>) => (await api.updateAccount(change)).data,
    {
      said: 'Saved',
      expect(change) {
        const before = queryClient.getQueryData<Account>(['account'])
        if (before) put({ ...before, ...change } as Account)
        return () => put(before)
      },
      onDone: put,
    },
  )
}
