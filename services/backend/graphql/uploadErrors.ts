import type { Plugin } from 'graphql-yoga'
import { apiError } from './apiError.ts'

const NOT_AN_UPLOAD = apiError(
  'BAD_USER_INPUT',
  'the fields operations and map do not follow the GraphQL multipart request specification',
)

/** The library's parser of uploads reads `operations` and `map` as if they always had the right shapes. */
export const uploadErrors: Plugin = {
  onRequestParse: ({ requestParser, setRequestParser }) => {
    if (!requestParser) return
    setRequestParser(async (request) => {
      try {
        return await requestParser(request)
      } catch (error) {
        throw error instanceof TypeError ? NOT_AN_UPLOAD : error
      }
    })
  },
}
