-- As many bytes of the content as SQLite indexes. A character that is cut goes whole.
CREATE FUNCTION "beginning_of"(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
  SELECT convert_from(
    substring(bytes FROM 1 FOR CASE
      WHEN length(bytes) <= 131072 THEN length(bytes)
      WHEN get_byte(bytes, 131072) & 192 <> 128 THEN 131072
      WHEN get_byte(bytes, 131071) & 192 <> 128 THEN 131071
      WHEN get_byte(bytes, 131070) & 192 <> 128 THEN 131070
      ELSE 131069
    END),
    'UTF8'
  )
  FROM (SELECT convert_to(left(coalesce(content, ''), 131073), 'UTF8') AS bytes) AS encoded
);
--> statement-breakpoint
ALTER TABLE "articles" DROP COLUMN "search";
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('simple', "article_words"("title")), 'A') || setweight(to_tsvector('simple', "article_words"("beginning_of"("content"))), 'B')
) STORED;
--> statement-breakpoint
CREATE INDEX "articles_search" ON "articles" USING gin ("search");
