import { anyQuery, route } from '../../platform/http/route.ts'
import { redirect } from './pages/page.ts'

export const homeRoute = route({
  method: 'GET',
  path: '/',
  access: 'public',
  summary: 'Leads to the dashboard of the payment provider',
  query: anyQuery,
  handle: ({ response }) => redirect(response, '/payments'),
})
