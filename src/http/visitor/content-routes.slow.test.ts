import { describeClosedPages } from './content-routes.suite.ts'

describeClosedPages('on postgres', 'postgres', null)
