import { implement, type Operation } from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Webhooks } from './index.ts'

export function webhookOperations(webhooks: Webhooks): Operation[] {
  return [
    implement(contracts.createWebhook, async ({ account, context }, input) => ({
      data: await webhooks.create(account, input, context.key?.id ?? null),
    })),
    implement(contracts.listWebhooks, async ({ account }) => ({
      data: await webhooks.list(account),
    })),
    implement(contracts.getWebhook, async ({ account }, { webhook_id: id }) => ({
      data: await webhooks.get(account, id),
    })),
    implement(
      contracts.updateWebhook,
      async ({ account, context }, { webhook_id: id, ...change }) => ({
        data: await webhooks.update(account, id, { ...change, key_id: context.key?.id ?? null }),
      }),
    ),
    implement(contracts.deleteWebhook, ({ account }, { webhook_id: id }) =>
      webhooks.remove(account, id),
    ),
    implement(contracts.listDeliveries, ({ account }, { webhook_id: id, ...paging }) =>
      webhooks.deliveries(account, id, paging),
    ),
    implement(contracts.redeliver, async ({ account }, given) => ({
      data: await webhooks.redeliver(account, given.webhook_id, given.delivery_id),
    })),
    implement(contracts.testWebhook, async ({ account }, { webhook_id: id }) => ({
      data: await webhooks.test(account, id),
    })),
  ]
}
