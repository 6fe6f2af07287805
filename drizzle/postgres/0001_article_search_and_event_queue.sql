CREATE FUNCTION "article_words"(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(
    lower(regexp_replace(normalize(left(coalesce(content, ''), 400000), NFD), U&'[\0300-\036F]', '', 'g') COLLATE "und-x-icu"),
    '[^[:alnum:]]+' COLLATE "und-x-icu", ' ', 'g'
  );
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('simple', "article_words"("title")), 'A') || setweight(to_tsvector('simple', "article_words"("content")), 'B')
) STORED;
--> statement-breakpoint
CREATE INDEX "articles_search" ON "articles" USING gin ("search");
--> statement-breakpoint
CREATE FUNCTION "queue_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "event_queue" ("number") VALUES (NEW."number");
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "events_queued" AFTER INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION "queue_event"();
