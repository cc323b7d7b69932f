import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentProps, StrictMode } from 'react'
import { BootContext } from './account.ts'
import { App } from './app.tsx'
import type { Boot } from './boot.ts'

interface RootProps extends ComponentProps<typeof App> {
  boot: Boot
  client: QueryClient
}

/** What the server renders and the browser takes over. */
export function Root({ boot, client, ...app }: RootProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <BootContext value={boot}>
          <App {...app} />
        </BootContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
