CREATE TABLE "article_drafts" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"article_id" text COLLATE "C",
	"based_on" text COLLATE "C",
	"slug" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"format" text COLLATE "C" NOT NULL,
	"canonical_url" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"writer" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	"saved_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "article_drafts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "article_drafts" ADD CONSTRAINT "article_drafts_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_drafts" ADD CONSTRAINT "article_drafts_tenant_id_source_id_livechat_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."livechat_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_drafts" ADD CONSTRAINT "article_drafts_tenant_id_source_id_article_id_articles_tenant_id_source_id_id_fk" FOREIGN KEY ("tenant_id","source_id","article_id") REFERENCES "public"."articles"("tenant_id","source_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "article_drafts_source" ON "article_drafts" USING btree ("tenant_id","source_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "article_drafts_article" ON "article_drafts" USING btree ("tenant_id","source_id","article_id");
