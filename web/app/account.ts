import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api } from './api.ts'
import type { Account, Boot } from './boot.ts'

export const BootContext = createContext<Boot | null>(null)

export function useBoot(): Boot {
  return useContext(BootContext)!
}

/** The account that is signed in. */
export function useAccount(): Account {
  const { account } = useBoot()
  const { data } = useQuery({
    queryKey: ['account'],
    queryFn: async () => (await api.getAccount()).data,
    initialData: account,
    staleTime: 60_000,
  })
  return data
}
