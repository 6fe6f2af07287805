CREATE TABLE "article_vectors" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"article_id" text COLLATE "C" NOT NULL,
	"due_at" text COLLATE "C",
	"attempts" bigint DEFAULT 0 NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"model" text COLLATE "C",
	"vector" text COLLATE "C",
	CONSTRAINT "article_vectors_tenant_id_source_id_article_id_pk" PRIMARY KEY("tenant_id","source_id","article_id")
);

--> statement-breakpoint
ALTER TABLE "article_vectors" ADD CONSTRAINT "article_vectors_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_vectors" ADD CONSTRAINT "article_vectors_tenant_id_source_id_article_id_articles_tenant_id_source_id_id_fk" FOREIGN KEY ("tenant_id","source_id","article_id") REFERENCES "public"."articles"("tenant_id","source_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "article_vectors_due" ON "article_vectors" USING btree ("due_at") WHERE due_at IS NOT NULL;
--> statement-breakpoint
INSERT INTO "article_vectors" ("tenant_id", "source_id", "article_id", "due_at") SELECT "tenant_id", "source_id", "id", "updated_at" FROM "articles";
