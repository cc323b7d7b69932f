import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BootContext } from './account.ts'
import { queryClient } from './api.ts'
import { App } from './app.tsx'
import { readBoot } from './boot.ts'

const boot = readBoot()
queryClient.setQueryData(['account'], boot.account)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BootContext value={boot}>
        <App />
      </BootContext>
    </QueryClientProvider>
  </StrictMode>,
)
